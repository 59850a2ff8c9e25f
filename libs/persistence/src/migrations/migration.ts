/** A change of the schema. A released one never changes. */
export interface Migration {
  /** Unique; ends with a number. Stored in `schema_migrations`. */
  name: string;
  /**
   * Only on a migration that removes or changes something that an older program uses: the number of the oldest migration whose program
   * works on the result. Additive migrations omit it, so pods of the previous version keep working during a rollout.
   */
  servesSince?: number;
  /** Statements, applied in one transaction. */
  up: readonly string[];
  down: readonly string[];
}
