import type { Compilable, CompiledQuery } from 'kysely'
import { AS_ARRAYS } from './array-rows.ts'
import { nameStatement } from './statement-name.ts'

/** A query that is compiled once and then only bound: compiling costs more than most of these queries take to run. */
export type Prepared<Parameters, Row> = (parameters: Parameters) => CompiledQuery<Row>

class Placeholder {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

const placeholders = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) })

/**
 * Prepares the query that `build` writes with the parameters it is handed, wherever a value can stand. It is compiled at
 * its first use.
 */
export function prepare<Parameters extends object, Row>(
  build: (parameters: Parameters) => Compilable<Row>,
): Prepared<Parameters, Row> {
  return preparedWith(build, {})
}

/** The same with arrays for rows, of the columns in the order in which `build` selects them, each under a name of its own. */
export function prepareArrays<Parameters extends object, Row extends readonly unknown[]>(
  build: (parameters: Parameters) => Compilable,
): Prepared<Parameters, Row> {
  return preparedWith(build as (parameters: Parameters) => Compilable<Row>, AS_ARRAYS)
}

/** The same for what changes rows and returns none of them, so that no row has to be read in a driver's own form. */
export function prepareChange<Parameters extends object>(
  build: (parameters: Parameters) => Compilable,
): Prepared<Parameters, never> {
  return preparedWith(build as (parameters: Parameters) => Compilable<never>, AS_ARRAYS)
}

function preparedWith<Parameters extends object, Row>(
  build: (parameters: Parameters) => Compilable<Row>,
  form: object,
): Prepared<Parameters, Row> {
  let compiled: CompiledQuery<Row> | undefined
  return parameters => {
    compiled ??= { ...compile(build), ...form }
    return {
      ...compiled,
      parameters: compiled.parameters.map(value =>
        value instanceof Placeholder ? parameters[value.name as keyof Parameters] : value,
      ),
    }
  }
}

function compile<Parameters, Row>(build: (parameters: Parameters) => Compilable<Row>): CompiledQuery<Row> {
  const compiled = build(placeholders as Parameters).compile()
  nameStatement(compiled.sql)
  const merchantAt = compiled.parameters.findIndex(
    value => value instanceof Placeholder && value.name === 'merchantId',
  )
  return merchantAt < 0 ? compiled : ({ ...compiled, merchantAt } as CompiledQuery<Row>)
}

/**
 * Whose rows a prepared query is about, where it was given a `merchantId`. At a node of a cluster it may be sent to that merchant's shard
 * alone: one that is about others' rows as well calls the parameter something else.
 */
export function merchantOf({
  parameters,
  merchantAt,
}: CompiledQuery & { merchantAt?: number }): string | undefined {
  return merchantAt === undefined ? undefined : (parameters[merchantAt] as string)
}

/** A query that has a form for each `shape`, each prepared when it is first needed. */
export function prepareEach<Shape, Parameters extends object, Row>(
  build: (shape: Shape) => (parameters: Parameters) => Compilable<Row>,
): (key: string, shape: Shape) => Prepared<Parameters, Row> {
  return oneForEach(shape => prepare(build(shape)))
}

/** The same with arrays for rows. */
export function prepareArraysEach<Shape, Parameters extends object, Row extends readonly unknown[]>(
  build: (shape: Shape) => (parameters: Parameters) => Compilable,
): (key: string, shape: Shape) => Prepared<Parameters, Row> {
  return oneForEach(shape => prepareArrays(build(shape)))
}

function oneForEach<Shape, Form>(make: (shape: Shape) => Form): (key: string, shape: Shape) => Form {
  const forms = new Map<string, Form>()
  return (key, shape) => {
    const form = forms.get(key) ?? make(shape)
    forms.set(key, form)
    return form
  }
}
