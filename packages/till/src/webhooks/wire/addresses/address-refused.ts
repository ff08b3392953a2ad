/** Thrown in place of dialling an address that a webhook may not be sent to. */
export class AddressRefused extends Error {
  constructor(address: string) {
    super(`address ${address} is not public`)
    this.name = 'AddressRefused'
  }
}
