import { type JsAdapter, JsError, type LocalServers, type Workspace } from 'toolport'

/** Runs JavaScript in QuickJS in web workers. Loads its code and its WebAssembly with the first program. */
export function lateQuickJs(workspace: Workspace, servers: LocalServers): JsAdapter {
  let made: Promise<JsAdapter> | undefined
  let isClosed = false

  async function load(): Promise<JsAdapter> {
    try {
      const [{ createQuickJs }, { default: wasm }] = await Promise.all([
        import('toolport/adapters/quickjs'),
        import('@jitl/quickjs-wasmfile-release-sync/wasm?url'),
      ])
      return createQuickJs({ wasm, grants: { servers } })(workspace)
    } catch (cause) {
      // Retry with the next program.
      made = undefined
      throw new JsError('unavailable', `JavaScript cannot run: its engine could not be loaded. ${String(cause)}`, { cause })
    }
  }
  async function engine(): Promise<JsAdapter> {
    if (isClosed) throw new JsError('unavailable', 'Cannot run the program: the workspace is closed')
    made ??= load()
    return made
  }

  return {
    name: 'quickjs',
    can: { hardKill: true, memoryCap: true, nodeApi: false, isolated: true },
    run: async (options) => (await engine()).run(options),
    async spawn(program) {
      const { name, spawn } = await engine()
      if (!spawn) throw new JsError('unavailable', `Cannot start the program: ${name} runs none in the background`)
      return spawn(program)
    },
    async close() {
      isClosed = true
      // An engine that was never loaded needs no closing.
      await made?.then(
        (adapter) => adapter.close?.(),
        () => undefined,
      )
    },
  }
}
