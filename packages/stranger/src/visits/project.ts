import { MODULES, TYPESCRIPTS } from '../compilers.ts'
import { entriesOf } from '../entries.ts'
import { programsOf, stepsOf } from '../readme.ts'
import type { Visit } from '../stay.ts'

const NODE = '24.21.0'
/** The first TypeScript that takes `require()` of an ES module. */
const REQUIRES = '6.0'

/** A strict project with every package, all that READMEs name beside them, and every program of theirs that is TypeScript. */
export const projectVisit: Visit = async ({ tarballs, results, folder, compile }) => {
  const of = 'a strict project'
  const project = await folder('project')
  const steps = tarballs.map(({ files }) => stepsOf(files.get('README.md') ?? ''))
  const words = steps.flat().flatMap(step => ('install' in step ? step.install : []))
  const packages = new Set(words.filter(word => !word.startsWith('--') && !/.@\d/.test(word)))
  if (!(await results.try(of, 'npm install', NODE, () => project.install([...packages])))) return
  for (const [i, programs] of steps.map(programsOf).entries()) {
    for (const { name, source, language } of programs) {
      if (language === 'ts') await project.save(`readme-${i}-${name.replace(' ', '-')}.mts`, source)
    }
  }
  const entries = tarballs.flatMap(entriesOf)
  const imports = entries.map((name, i) => `import * as entry${i} from '${name}'\nconsole.log(entry${i})\n`)
  const requires = entries.map((name, i) => `import entry${i} = require('${name}')\nconsole.log(entry${i})\n`)
  await project.save('imports.mts', imports.join(''))
  await project.save('requires.cts', requires.join(''))
  for (const typescript of TYPESCRIPTS) {
    for (const modules of Object.keys(MODULES) as (keyof typeof MODULES)[]) {
      const include = ['*.mts', ...(typescript === REQUIRES && modules === 'nodenext' ? ['*.cts'] : [])]
      await results.try(of, `TypeScript ${typescript}, ${modules}`, NODE, () =>
        compile(project, { typescript, modules, include }),
      )
    }
  }
}
