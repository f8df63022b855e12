// @module-tag edge
import { isolationCase } from './isolation-case.js'

isolationCase(200)
