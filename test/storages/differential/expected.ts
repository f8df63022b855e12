/** Part of the script -> SHA-256 of its answers, in every runtime and on every storage. A change of a tool's words or behaviour changes it. */
export const EXPECTED: Readonly<Record<string, string>> = {
  writing: '0c8d13ac8a70283577c64e4cd7cc466a8d91072afef8b8a9b6503d3d313a5415',
  reading: '95b8d56b65bc5efc276e4128b57789b4779bbda8e0d5da0b65173e830b490b33',
  searching: 'b074683427d21b3b5c7c6d459d12312e0f9934e6d6db5895c6d80a2bbbcfaf5d',
  changing: '71ae1b0bba4b2f6fd8587eb925aa86d4148c8d1c769b39d15fb118705f93e173',
  'the shell': 'd6f8bf270b83d93acee25b8c3ab5751ff8ca454cfe4b90ae6bf671967903dfa3',
  much: '3ddcd75483853be481ed2dc450382e93d734e98df0c55b026bcd15339d2d376e',
  quotas: '55fcb43cad2cece61daea50c3183f481db98cb70a1a876eaec6f0370230f4cb2',
  checkpoints: '6ae704ebd8cd96c8c09195fdc3a9d28705eaaa68a2cc86fcd5e4faf5ab4a3028',
  drawn: '1ed482b4db089239b36fd78a93cb92d8e963a26e6709d9d30d980adddc09e8ad',
  links: 'e909a776b5c949e178c74a7c474e1e5ca18492c257dd0cf332ffcb8f5b9199dc',
  modes: '910e37cbda6d9fdec8eca2d8ccd413499539e3190847def480e85980ee9bd78f',
  times: '618c00f1e3c6133252434ca86d5d34a47aeb9d402f5c2df860ff7203a7960bb7',
  'the tree in the end': '8d7bec6ade7a8e9e8ad0d1987e516cefd6b90a16e04f76c11cf59f46cd657f79',
}
