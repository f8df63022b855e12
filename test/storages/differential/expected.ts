/** Part of the script -> SHA-256 of its answers, for every runtime and storage. Changes when a tool's texts or behaviour change. */
export const EXPECTED: Readonly<Record<string, string>> = {
  writing: 'bdfdcb49f02bcd153ab700cf76a99ae2bbfb2e6925e24e14d4fc75611786462e',
  reading: 'adc7111873f31e072a4aecef87dcdbb70a620dcb04c5f481825b4a4cb2440996',
  searching: '11730e1dffd81ae7aca55923d01ebeebd9446275f4c4a78eb8fba3dadf863413',
  changing: 'c9990dd1e430a748ec4fa997c01bb2fa0b8287282b809ce12fcf2c8d24aa1d21',
  'the shell': '2dbb84032bb04c3f792f92045b506f34a048ee7167e840c9daf63cf671beabc5',
  much: '98911e475edac22c5377151644bb176a0f1ec2612d532d1aa59ad35e6751bf3c',
  quotas: '74a0395ac110e8f72734d33016928d23f4a819f1460cd07bb616e0e8cd67e0c4',
  checkpoints: '489a59e333022817f765f13ce21655a61489186d89f82964a19e48f89725a6bb',
  drawn: '01cbcdf98d9e3e0c51d70fada35823fe7531a5a58cdce891945a22a8a2ccd63c',
  links: '61faa791c44628dd7f8ffc3afa8c280ab841fbc0d354744397164c4e53491967',
  modes: '59ac9eac7c43254e825075ecfc87b0dcc1673c69af2b16a3bed0873da532c516',
  times: '618c00f1e3c6133252434ca86d5d34a47aeb9d402f5c2df860ff7203a7960bb7',
  'the tree in the end': '2edec2f016cf3377d1c2ca194a613d3c04eb96cf6bfacd426fa917d1bb98b794',
}
