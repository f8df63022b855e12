/** Part of the script -> SHA-256 of its answers, in every runtime and on every storage. A change of a tool's words or behaviour changes it. */
export const EXPECTED: Readonly<Record<string, string>> = {
  writing: '5000f0c29fc043a62e800ad8581ba4d6fa34d897655af65da84c4c82fdf320e0',
  reading: '22ea0ecebd6109fc287bcb536d7a02c578595761a0c94c10dc0c10b4ca3831d4',
  searching: '2c78be2fed3f184105c6f43568d1228e7540d6d6446b315a2aebf02b587dc9cc',
  changing: '335dd8428c1caca7874b19db98cdd33f63bd8c922e463b37631574936985e305',
  'the shell': '7d343f42f404abc2c6975ab0eb36bcc9a5edb3a3b7e9dde0bcffb193f7a66a98',
  much: '324c572d3007043e7a3ad3b2ffe4542cc6bd15649d3bdccdccdfaa5e5686c07e',
  quotas: '74a0395ac110e8f72734d33016928d23f4a819f1460cd07bb616e0e8cd67e0c4',
  checkpoints: '677304e4b3040698ae189a2f73f166c74ecf0b2e0a25adeb8740e22a4a1f5ba7',
  drawn: '435c561bb2a039a4ca3e8417e854b60c1a2b0a8b3d189131179dce07080ff941',
  links: '7183725a3f83211f26feef91943f999f9accb64927408c8c84e281247d9f4ffe',
  modes: '59ac9eac7c43254e825075ecfc87b0dcc1673c69af2b16a3bed0873da532c516',
  times: '618c00f1e3c6133252434ca86d5d34a47aeb9d402f5c2df860ff7203a7960bb7',
  'the tree in the end': '45912be38791b0eae99fd133ec18e89038e2eb3cab549e3940f08a2c64eead37',
}
