/** `npm run pack:all [-- FOLDER]`: packs every package that is published into a folder and checks what came out. */
import { basename, resolve } from 'node:path'
import { check } from './check.ts'
import { packAll } from './pack-all.ts'
import { REPOSITORY } from './public-packages.ts'

const destination = resolve(process.env.INIT_CWD ?? REPOSITORY, process.argv[2] ?? 'tarballs')
for (const tarball of await packAll(destination)) {
  const problems = await check(tarball)
  const kibibytes = Math.ceil(tarball.bytes.length / 1024)
  console.log(`${basename(tarball.file)}: ${tarball.files.size} files, ${kibibytes} KiB`)
  for (const problem of problems) console.error(`${tarball.manifest.name}: ${problem}`)
  if (problems.length > 0) process.exitCode = 1
}
