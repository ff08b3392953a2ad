import type { Tarball } from '@tillkit/tarballs'
import type { Compile } from './compilers.ts'
import type { Folder } from './folder.ts'
import type { Nodes } from './nodes.ts'
import type { Results } from './results.ts'

/** What a visit has to work with. */
export interface Stay {
  tarballs: readonly Tarball[]
  nodes: Nodes
  results: Results
  /** Makes an empty folder. */
  folder(name: string): Promise<Folder>
  /** Makes an empty PostgreSQL database and returns its address. */
  database(): Promise<string>
  /** Compiles a project of a folder. */
  compile: Compile
}

/** Something that a stranger does. */
export type Visit = (stay: Stay) => Promise<void>
