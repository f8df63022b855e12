// The types of `toolport/adapters/quickjs/wasm`, which only a bundler for Workers can import.
/** QuickJS as compiled WebAssembly, for the option `wasm` of `createQuickJs` in a Worker. */
declare const wasm: WebAssembly.Module
export default wasm
