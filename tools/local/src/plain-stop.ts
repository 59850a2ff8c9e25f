/** Ends the command with one sentence and no stack: what is wrong and what to do. Recognised by its name, across bundles. */
export class PlainStop extends Error {
  override readonly name = 'PlainStop';
  constructor(
    message: string,
    readonly exitCode = 1,
  ) {
    super(message);
  }
}
