// Asks the host questions, synchronously or by promise. A description contains the question, its bytes, and optional functions: `finish`
// converts the answer, `amend` converts the error.
const { host } = internal
const { checkSignal } = require('./given.cjs')

const shape = (answer) => (typeof answer === 'string' ? JSON.parse(answer) : answer)
const finished = ({ finish }, answer) => finish?.(answer)

function askNow(description) {
  let answer
  try {
    answer = shape(host.now('fs', description.question, description.bytes))
  } catch (error) {
    throw description.amend?.(error) ?? error
  }
  return finished(description, answer)
}

async function askLater(description) {
  const { question, bytes, signal, amend } = description
  checkSignal(signal)
  const answer = await host.later('fs', question, bytes)
  if (typeof answer === 'string' && answer.startsWith('!')) {
    const { message, ...more } = JSON.parse(answer.slice(1))
    const error = Object.assign(new Error(message), more)
    throw amend?.(error) ?? error
  }
  if (!bytes) checkSignal(signal)
  return finished(description, typeof answer === 'object' && answer !== null && answer.bytes !== undefined ? answer.bytes : shape(answer))
}

/** Runs a generator that yields descriptions. For `stepsLater`, it may also yield promises of the program's own functions. */
function stepsNow(steps) {
  let { value, done } = steps.next()
  while (!done) ({ value, done } = advance(steps, () => askNow(value)))
  return value
}
async function stepsLater(steps) {
  let { value, done } = steps.next()
  while (!done) {
    let answer
    try {
      const result = typeof value.then === 'function' ? await value : await askLater(value)
      answer = () => result
    } catch (error) {
      answer = () => {
        throw error
      }
    }
    ;({ value, done } = advance(steps, answer))
  }
  return value
}
function advance(steps, answer) {
  let result
  try {
    result = answer()
  } catch (error) {
    return steps.throw(error)
  }
  return steps.next(result)
}

module.exports = { askNow, askLater, stepsNow, stepsLater }
