import { expect, test } from 'vitest'
import { DatabaseError } from '../../src/index.ts'
import { storageAt } from '../engines/address.ts'
import { overMysql } from '../engines/index.ts'
import { createUser } from '../engines/user.ts'
import { openSession } from './session.ts'
import { merchantId } from './shop.ts'

overMysql(({ create }) => {
  test('whoever connects without TLS, and has to, is told of that besides the user and the password', async () => {
    const { address, drop } = await create()
    const user = await createUser(address, 'select, insert, update, delete')
    if (user.address.dialect !== 'mysql') throw new Error('neither MariaDB nor MySQL')
    const session = await openSession(address)
    await session.run(`alter user '${new URL(user.address.uri).username}'@'%' require ssl`)
    const storage = storageAt(user.address)
    const refused = await storage.merchants.get(merchantId).catch(error => error)
    expect(refused).toBeInstanceOf(DatabaseError)
    expect(refused.message).toMatch(
      /^the database refuses this user or password, or a connection without TLS \(ssl in the address\): Access denied/,
    )
    await storage.close()
    await session.close()
    await user.drop()
    await drop()
  })
})
