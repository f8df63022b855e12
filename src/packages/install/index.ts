export { installPackages } from './install.js'
export type { InstallOptions, InstallReport } from './options.js'
