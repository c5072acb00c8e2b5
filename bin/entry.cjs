// Plain JavaScript that any Node can parse, so that an old one gets a sentence and not a stack trace.
var root = require('path').join(__dirname, '..')

// Other agents run this and take an error for a no to whatever they were about to do.
var isHook = process.argv[2] === 'hook' && process.argv[3] !== '--help' && process.argv[3] !== '-h'

if (Number(process.versions.node.split('.')[0]) < 24) {
  process.stderr.write(
    'Reverie needs Node 24 or newer; this is ' +
      process.version +
      '. Update it from nodejs.org' +
      ', or run `npm install` in a checkout, which brings its own.\n',
  )
  process.exit(isHook ? 0 : 2)
}

var args = process.argv.slice(2)
if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
  process.stdout.write(require('../package.json').version + '\n')
} else {
  start()
}

function start() {
  // V8 lets a heap grow long before it cleans up: a process that talks for days would be twice as large.
  require('v8').setFlagsFromString('--heap-growing-percent=50')
  // Its middle compiler comes upon everything that a conversation does once a turn in the same turn, some five hundred
  // turns in: what that takes at once, up to 30 MB, is never given back.
  require('v8').setFlagsFromString('--no-maglev')
  var fs = require('fs')
  var inCheckout = fs.existsSync(root + '/src/cli/main.ts')
  // Compiled code is kept, in a checkout also the stripped TypeScript: a start then costs half.
  var cache = inCheckout ? root + '/node_modules/.cache/reverie' : cacheInHome()
  if (cache) compileInto(cache)
  if (isHook) {
    import(inCheckout ? '../src/cli/hook.ts' : '../dist/cli/hook.js').then(
      cli => cli.main(args.slice(1)),
      () => process.exit(0),
    )
    return
  }
  import(inCheckout ? '../src/cli/main.ts' : '../dist/cli/main.js').then(cli => cli.main(args))
}

function compileInto(cache) {
  // Node would make it readable for everybody, and the directory that it makes in it.
  var before = process.umask(63)
  try {
    require('fs').mkdirSync(cache, { recursive: true })
  } catch {}
  require('module').enableCompileCache(cache)
  process.umask(before)
}

/** Only in a home that is there already: asking for help makes no directories. */
function cacheInHome() {
  var path = require('path')
  var home = process.env.REVERIE_HOME || path.join(require('os').homedir(), '.reverie')
  return require('fs').existsSync(home) ? path.join(home, 'cache', 'code') : undefined
}
