// @module-tag virtual-shell
import { nativeCommandCases } from './just-bash-commands-native.js'

nativeCommandCases(false)
