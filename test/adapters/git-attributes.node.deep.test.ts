// @module-tag git
import { lineEndCases } from './git-line-ends.js'

lineEndCases(['core.autocrlf=input', 'core.autocrlf=false core.eol=crlf'])
