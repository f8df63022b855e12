const { requireFrom, config, Module } = internal

function createRequire(from) {
  const path = `${from}`.startsWith('file:') ? require('url').fileURLToPath(`${from}`) : `${from}`
  return requireFrom(path)
}
Object.assign(Module, {
  createRequire,
  builtinModules: [...config.builtins],
  isBuiltin: (name) => config.builtins.includes(name.replace(/^node:/, '')),
  Module,
})
module.exports = Module
