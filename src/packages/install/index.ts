export { installPackages } from './install.js'
export type { ManagedInstall, ManagedReport, PackageManager } from './manager.js'
export type { InstallOptions, InstallReport } from './options.js'
