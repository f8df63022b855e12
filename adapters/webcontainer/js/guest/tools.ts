/** Needs `task`, `inbox`, `send`. Defines `hearAnswer`, and `installTools`, which sets `globalThis.invokeTool(name, input)`. */
export const TOOLS: string = `
const pending = new Map()
let calls = 0

function hearAnswer({ call, output, error }) {
  const waiting = pending.get(call)
  pending.delete(call)
  if (pending.size === 0) inbox.free('tools')
  if (error) waiting?.reject(failure(error))
  else waiting?.resolve(output)
}

function failure({ message, ...rest }) {
  const error = Object.assign(new Error(message), rest)
  for (const key of Object.keys(rest)) Object.defineProperty(error, key, { enumerable: key === 'code' })
  return error
}

function installTools() {
  async function invokeTool(name, input) {
    if (typeof name !== 'string') throw new TypeError('The name of a tool is a string, not ' + (name === null ? 'null' : 'a ' + typeof name))
    const call = ++calls
    const answer = new Promise((resolve, reject) => pending.set(call, { resolve, reject }))
    try {
      send({ call, name, input })
    } catch (error) {
      pending.delete(call)
      throw error
    }
    inbox.need('tools')
    return answer
  }
  Object.defineProperty(globalThis, 'invokeTool', { value: invokeTool, writable: true, configurable: true })
}
`
