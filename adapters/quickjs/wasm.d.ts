// The types of `toolport/adapters/quickjs/wasm`, which only a bundler for Workers can import.
declare const wasm: WebAssembly.Module
export default wasm
