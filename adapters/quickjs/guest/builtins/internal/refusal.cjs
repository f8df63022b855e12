/** Returns a function that throws an error. The error names an alternative. */
module.exports = (name, instead) => {
  const refuse = () => {
    throw Object.assign(new Error(`Cannot call ${name}: ${instead}`), { code: 'ERR_FEATURE_UNAVAILABLE_ON_PLATFORM' })
  }
  return refuse
}
