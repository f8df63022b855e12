// The engine as it is published, as bundlers for Workers import it.
declare module '@jitl/quickjs-wasmfile-release-sync/wasm' {
  const engine: WebAssembly.Module
  export default engine
}
