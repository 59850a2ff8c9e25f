const UNIQUE_VIOLATION = '23505';

/** Another job of the same publishing account was taken at the same moment: the transaction in which this was asked for is lost. */
export class AccountTaken extends Error {
  override readonly name = 'AccountTaken';

  constructor() {
    super('another job works for this account');
  }

  /** Whether a claim failed of this: there is no other unique index that it can run into. */
  static saysSo(error: unknown): boolean {
    return (error as { code?: string }).code === UNIQUE_VIOLATION;
  }
}
