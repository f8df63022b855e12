const refusal = require('internal/refusal')
const INSTEAD = 'the sandbox has one context. Use vm.runInThisContext, or new Function.'
/** An indirect `eval`, which runs code in the global scope. */
const { eval: globalEval } = globalThis
const runInThisContext = (code) => globalEval(`${code}`)
class Script {
  #code
  constructor(code) {
    this.#code = `${code}`
  }
  runInThisContext() {
    return runInThisContext(this.#code)
  }
  runInContext() {
    return refusal('vm.Script.runInContext', INSTEAD)()
  }
  runInNewContext() {
    return refusal('vm.Script.runInNewContext', INSTEAD)()
  }
}
module.exports = {
  Script,
  runInThisContext,
  isContext: () => false,
  createContext: refusal('vm.createContext', INSTEAD),
  runInContext: refusal('vm.runInContext', INSTEAD),
  runInNewContext: refusal('vm.runInNewContext', INSTEAD),
  compileFunction: (code, names = []) => new Function(...names, code),
}
