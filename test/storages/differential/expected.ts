/** Part of the script -> SHA-256 of its answers, in every runtime and on every storage. A change of a tool's words or behaviour changes it. */
export const EXPECTED: Readonly<Record<string, string>> = {
  writing: 'fcccea7c274fdd67c26b1ca9167509f7ab8220c8c47d9aca5117e5ad359f728e',
  reading: '22ea0ecebd6109fc287bcb536d7a02c578595761a0c94c10dc0c10b4ca3831d4',
  searching: '2c78be2fed3f184105c6f43568d1228e7540d6d6446b315a2aebf02b587dc9cc',
  changing: '6e709d5018397ad9e510b3d731d60b143412ff910eda74510379a8b132260dd2',
  'the shell': '7d343f42f404abc2c6975ab0eb36bcc9a5edb3a3b7e9dde0bcffb193f7a66a98',
  much: '324c572d3007043e7a3ad3b2ffe4542cc6bd15649d3bdccdccdfaa5e5686c07e',
  quotas: 'e2b5ce0fccaaaedd7b17704472af82230a4ac137c05c586e5e384012326dbba7',
  checkpoints: '64cb489cc245522150fa16a657ebf7b2183ac18e8ce962eb930461e6f9247999',
  drawn: 'a7448dc78ce07c517bede24d79f003c591742a97892c95180c86bfced7edd660',
  links: '7183725a3f83211f26feef91943f999f9accb64927408c8c84e281247d9f4ffe',
  modes: '59ac9eac7c43254e825075ecfc87b0dcc1673c69af2b16a3bed0873da532c516',
  times: '618c00f1e3c6133252434ca86d5d34a47aeb9d402f5c2df860ff7203a7960bb7',
  'the tree in the end': '45912be38791b0eae99fd133ec18e89038e2eb3cab549e3940f08a2c64eead37',
}
