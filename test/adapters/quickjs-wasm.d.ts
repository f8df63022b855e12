// The published engine, as bundlers for Workers import it.
declare module '@jitl/quickjs-wasmfile-release-sync/wasm' {
  const engine: WebAssembly.Module
  export default engine
}
