/** Needs all previous parts of the script. Runs the program, and reports its result and its exit code. */
export const START: string = String.raw`
let exported = commonJsExports

function commonJsExports() {
  const exports = process.mainModule?.exports
  const isUntouched = typeof exports === 'object' && exports !== null && Object.keys(exports).length === 0
  return isUntouched && Object.getPrototypeOf(exports) === Object.prototype ? undefined : exports
}

// Said last: until then it may change.
function tellEnd(code) {
  try {
    const result = exported()
    if (result !== undefined) send({ result })
  } catch (error) {
    tell('2', Buffer.from('The default export is not handed over: ' + (error instanceof Error ? error.message : String(error)) + '\n'))
  }
  send({ exit: typeof process.exitCode === 'number' ? process.exitCode : code })
}

function runText(code) {
  const { Module } = module
  const main = new Module(task.main, null)
  Object.assign(main, { id: '.', filename: task.main, paths: Module._nodeModulePaths(dirname(task.main)) })
  process.mainModule = main
  Module._cache[task.main] = main
  main._compile(code, task.main, 'commonjs')
  main.loaded = true
}

process.argv.splice(1, process.argv.length - 1, task.script, ...task.args)
process.execArgv = []
frameOutput()
serveInput()
if (task.tools) installTools()
if (Object.keys(known).length > 0) serveTypeScript()
module.syncBuiltinESMExports()
process.once('exit', tellEnd)
if (task.kind === 'commonjs') {
  // Outside of any promise, so that process.nextTick comes before what a promise brings.
  setImmediate(() => (task.code === undefined ? module.Module._load(task.main, null, true) : runText(task.code)))
} else {
  const program = await import(task.copy ?? pathToFileURL(task.main).href)
  exported = () => program.default
}
//# sourceURL=node:internal/process/start
`
