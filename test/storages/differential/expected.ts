/** Part of the script -> SHA-256 of its answers, in every runtime and on every storage. A change of a tool's words or behaviour changes it. */
export const EXPECTED: Readonly<Record<string, string>> = {
  writing: '0c8d13ac8a70283577c64e4cd7cc466a8d91072afef8b8a9b6503d3d313a5415',
  reading: '95b8d56b65bc5efc276e4128b57789b4779bbda8e0d5da0b65173e830b490b33',
  searching: 'b074683427d21b3b5c7c6d459d12312e0f9934e6d6db5895c6d80a2bbbcfaf5d',
  changing: '71ae1b0bba4b2f6fd8587eb925aa86d4148c8d1c769b39d15fb118705f93e173',
  'the shell': '7d343f42f404abc2c6975ab0eb36bcc9a5edb3a3b7e9dde0bcffb193f7a66a98',
  much: '8cabda79bd59bd8c2e07a8fcefb33fda4b99ca8a235f0e4e3c4c9fe5c709290f',
  quotas: '627680fc3f9e0157c6a2979b6a936683b88c33fbda24b77958c0e2b6990c66e9',
  checkpoints: '6d521a8295ea502782a452d7f92ffc7f6df11650e8f8d4ccac404406a20fef15',
  drawn: 'b42b046990cf2a804eaf9ea22a97923d81921c57658273aef589b982a6501159',
  links: 'deec54dd6256c8377e7273a770e3d3fd1921c0d7acfa529a334caf756e065704',
  modes: '59ac9eac7c43254e825075ecfc87b0dcc1673c69af2b16a3bed0873da532c516',
  times: '618c00f1e3c6133252434ca86d5d34a47aeb9d402f5c2df860ff7203a7960bb7',
  'the tree in the end': '513c300e7d8c93fe086978dcb9b06d76c0b06b79f9f388165284f4471bb99e79',
}
