// @module-tag directory
// The contract of a directory on a disk: in the default tier it may lie in memory.
import './node.node.test.js'
