/** Part of the script -> SHA-256 of its answers, for every runtime and storage. Changes when a tool's texts or behaviour change. */
export const EXPECTED: Readonly<Record<string, string>> = {
  writing: '012ef6343928b2825e07240a7ed30614cb89f4e079c2388ee786347a11491541',
  reading: '816cd32a25ba8e28c483e08312d7005eb5037c163609c4b68af1b9c6107d7d69',
  searching: '3680c2e1a10cd09d2a5bdeb8023c8941d70d45f39b9239589202a5254bd22b3b',
  changing: '2f7c82fd85c3245fa3b3aa153c61f253dd482ea7ca4822bd73f5115a85ae0282',
  'the shell': '42186ba40cfe5b5e401eec039ed7ef87eea8d7973eb08af1e5485314325751ea',
  much: '0d529244ae1f3da336fff5fd95f3e979b855f3891b99fd87c152053093e72975',
  quotas: '2761fced568e48997fed705266309542fe368324c41652c8985f969e53365773',
  checkpoints: '843cab0f6837a62b4cc12d23a72ba1c7f59b292f9ca02d426c40c8aea8639515',
  drawn: '17a0bd0ced0fa5e5e3dcf81bb418b07e82f0a59aa02103ad1521e56852f2749a',
  links: '44ccded7aabd8b76fba600d3996a3e7f34db4a7c686c603c370ff350fc882505',
  modes: '59ac9eac7c43254e825075ecfc87b0dcc1673c69af2b16a3bed0873da532c516',
  times: 'cbaecc2d8704aa011c3c60b97cf96ae03c89ad8b84387913fb7330c170ac1d7d',
  'the tree in the end': '2edec2f016cf3377d1c2ca194a613d3c04eb96cf6bfacd426fa917d1bb98b794',
}
