// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is JavaScript.
// Arithmetic of 64 bits, in the interpreter of just-bash: by the text of its minified build, as in vendor-fixes.mjs. It had doubles, and operators on
// bits of 32: `$((1<<40))` was 256, and `$((9007199254740993))` another number, both without a word.
import { fileURLToPath } from 'node:url'

/** @param {string} text */
const exactly = (text) => new RegExp(text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))

/**
 * @param {string} name @param {string} why @param {string} before @param {string} after
 * @returns {(typeof import('./vendor-fixes.mjs').fixes)[number]}
 */
const fix = (name, why, before, after) => ({ name, why, pattern: exactly(before), replacement: after.replaceAll('$', '$$$$') })

export const part = fileURLToPath(new URL('../adapters/just-bash/syntax/integers.ts', import.meta.url))

export const head = [
  `import { calculated as $calculated, calculatedOne as $one, literalInteger as $literal, parseInteger as $parse, testInteger as $test } from ${JSON.stringify(part)}`,
  'var $Number={parseInt:$parse,isNaN:Number.isNaN};',
  '',
].join('\n')

/** `++` and `--` of what the operand is, of 64 bits. */
const step = 'calculated(i,1,t.operator==="++"?"+":"-")'

export const integerFixes = [
  fix(
    'operators',
    'They are of 64 bits.',
    'function qN(e,t,n){switch(n){case"+":return e+t;case"-":return e-t;case"*":return e*t;case"/":if(t===0)throw new Ge("division by 0");return Math.trunc(e/t);case"%":if(t===0)throw new Ge("division by 0");return e%t;case"**":if(t<0)throw new Ge("exponent less than 0");return e**t;',
    'function qN(e,t,n){if((n==="/"||n==="%")&&t===0)throw new Ge("division by 0");if(n==="**"&&t<0)throw new Ge("exponent less than 0");return $calculated(e,t,n)}function qN$(e,t,n){switch(n){',
  ),
  fix(
    'operators that assign',
    'As above, and a division by 0 is an error.',
    'function Yw(e,t,n){switch(n){',
    'function Yw(e,t,n){return n==="="?t:qN(e,t,n.slice(0,-1))}function Yw$(e,t,n){switch(n){',
  ),
  fix(
    'operators of one operand',
    'As above.',
    'function ZN(e,t){switch(t){',
    'function ZN(e,t){return $one(e,t)}function ZN$(e,t){switch(t){',
  ),
  fix(
    'numbers',
    'As above.',
    'function Lo(e){if(e.includes("#")){',
    'function Lo(e){return $literal(e)}function Lo$(e){if(e.includes("#")){',
  ),
  fix(
    'numbers in variables',
    'As above.',
    'async function QN(e,t,n){if(!t)return 0;',
    'async function QN(e,t,n){let Number=$Number;if(!t)return 0;',
  ),
  fix(
    'numbers in named variables',
    'As above.',
    'n.visited.add(t),n.depth++;try{let r=await KN(e,t);',
    'n.visited.add(t),n.depth++;let Number=$Number;try{let r=await KN(e,t);',
  ),
  fix(
    'numbers in expressions',
    'As above.',
    'async function Mi(e,t,n,r){let s=(i,o=n)=>Mi(e,i,o,r);',
    'async function Mi(e,t,n,r){let Number=$Number,s=(i,o=n)=>Mi(e,i,o,r);',
  ),
  fix(
    'shifts in ((',
    '`((x <<= 2))` is no here-document: it was a syntax error.',
    'this.pendingHeredocDelimiterMode=!1,this.makeToken(v.DLESS,"<<",n,r,s)',
    'this.dparenDepth===0&&(this.pendingHeredocDelimiterMode=!1),this.makeToken(v.DLESS,"<<",n,r,s)',
  ),
  fix(
    'operators in ((',
    '`((x |= 1))` and `((x >>= 1))` are as they were written: `| =` is no operator.',
    'n.length>0&&!n.endsWith(" ")&&!(c==="="&&/[|&^+\\-*/%<>]$/.test(n))&&!(c==="<"&&u==="<")&&!(c===">"&&u===">")&&(n+=" "),n+=c',
    'n.length>0&&this.tokens[this.pos-1].end!==this.current().start&&(n+=" "),n+=c',
  ),
  fix(
    'steps of variables',
    'As above, and `x=1+1; ((x++))` is 3.',
    'let o=t.operand.name,a=Number.parseInt(await We(e,o),10)||0,l=t.operator==="++"?a+1:a-1;',
    `let o=t.operand.name,a=i,l=$${step};`,
  ),
  fix('steps of elements', 'As above.', 'let c=Number.parseInt(Xe(e,o,l)||"0",10)||0,u=t.operator==="++"?c+1:c-1;', `let c=i,u=$${step};`),
  fix(
    'steps of names that are put together',
    'As above.',
    'let a=Number.parseInt(e.state.env.get(o)||"0",10)||0,l=t.operator==="++"?a+1:a-1;',
    `let a=i,l=$${step};`,
  ),
  fix(
    'steps of elements of such names',
    'As above.',
    'l=Number.parseInt(Xe(e,o,a)||"0",10)||0,c=t.operator==="++"?l+1:l-1;',
    'l=Number.parseInt(Xe(e,o,a)||"0",10)||0,c=$calculated(l,1,t.operator==="++"?"+":"-");',
  ),
  fix(
    'sums of integer variables',
    'As above.',
    'let D=e.state.env.get(P)??"0",X=parseInt(D,10)||0,V=parseInt(await M4(e,U),10)||0;U=String(X+V)',
    'let D=e.state.env.get(P)??"0",X=$parse(D)||0,V=$parse(await M4(e,U))||0;U=String($calculated(X,V,"+"))',
  ),
  fix(
    'numbers in [[',
    'As above.',
    'function o4(e){if(e=e.trim(),e==="")return 0;',
    'function o4(e){e=e.trim();let $n=$literal(e.replace(/^[-+]/,""));return Number.isNaN($n)?0:e.startsWith("-")?$one($n,"-"):$n}function o4$(e){if(e=e.trim(),e==="")return 0;',
  ),
  fix(
    'numbers of test',
    'As above; what is none of 64 bits is an error.',
    'function rc(e){if(e=e.trim(),e==="")',
    'function rc(e){return $test(e)}function rc$(e){if(e=e.trim(),e==="")',
  ),
  fix(
    'what is no number for test',
    'The error is told.',
    'let o=rc(r),a=rc(i);return!o.valid||!a.valid?Q("","",2):',
    'let o=rc(r),a=rc(i);return!o.valid||!a.valid?Q("",`bash: test: ${o.valid?i:r}: integer expression expected\\n`,2):',
  ),
  fix(
    'values of integer variables',
    'An error in them is told; the value was 0.',
    'async function M4(e,t){try{let n=new be,r=Me(n,t),s=await Te(e,r.expression);return String(s)}catch{return"0"}}',
    'async function M4(e,t){let n=new be,r=Me(n,t),s=await Te(e,r.expression);return String(s)}',
  ),
]
