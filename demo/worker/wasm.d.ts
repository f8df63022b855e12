declare module '*.wasm' {
  const wasm: WebAssembly.Module
  export default wasm
}

declare module '*?raw' {
  const text: string
  export default text
}
