// Plain JavaScript of some age, so that a Node that cannot read the rest can say so.
const [major, minor] = process.versions.node.split('.').map(Number)

if (major > 22 || (major === 22 && minor >= 18)) {
  import('./src/main.ts').catch(error => {
    const missing = error.code === 'ERR_MODULE_NOT_FOUND'
    console.error(missing ? `Run npm ci first: ${error.message.split('\n')[0]}` : error)
    process.exitCode = 1
  })
} else {
  console.error(
    `The demo needs Node 22.18 or later, and this is ${process.versions.node}: run npm ci, which brings one (not with --ignore-scripts).`,
  )
  process.exitCode = 1
}
