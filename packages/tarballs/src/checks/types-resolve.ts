import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { filterProblems, problemKindInfo } from '@arethetypeswrong/core/problems'
import type { Tarball } from '../tarball.ts'

/** What attw's profile `esm-only` looks at: ES modules under `node16` to `nodenext`, and bundlers. */
const ESM_ONLY = ['node16-esm', 'bundler'] as const

/** attw: types are found, and are those of what is run. */
export async function typesResolve({ bytes }: Tarball): Promise<string[]> {
  const analysis = await checkPackage(createPackageFromTarballData(bytes))
  if (!analysis.types) return ['attw: it has no types']
  return ESM_ONLY.flatMap(resolutionKind =>
    filterProblems(analysis, { resolutionKind }).map(
      problem =>
        `attw, ${resolutionKind}: ${problemKindInfo[problem.kind].title}: ${JSON.stringify(problem)}`,
    ),
  )
}
