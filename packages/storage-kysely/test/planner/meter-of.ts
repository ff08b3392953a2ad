import type { Address } from '../engines/address.ts'
import { mysqlMeter } from './mysql-meter.ts'
import { postgresMeter } from './postgres-meter.ts'
import { sqliteMeter } from './sqlite-meter.ts'
import type { Meter, PlanMode } from './work.ts'

export function meterOf(address: Address, mode: PlanMode): Promise<Meter> {
  if (address.dialect === 'postgres') return postgresMeter(address, mode)
  return address.dialect === 'mysql' ? mysqlMeter(address) : sqliteMeter(address)
}
