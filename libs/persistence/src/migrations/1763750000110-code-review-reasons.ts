import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Items store review reasons as codes with values. A sentence of an older program becomes the code `stored_text` with the result it came
 * with, so that the next caption or rights check replaces it. Programs that still write sentences are understood.
 */
export class CodeReviewReasons1763750000110 implements MigrationInterface {
  /** Written out: a bundler may rename the class. */
  readonly name = 'CodeReviewReasons1763750000110';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `
      UPDATE content_items i SET review_reasons = (
        SELECT jsonb_agg(
          CASE jsonb_typeof(reason) WHEN 'string' THEN jsonb_build_object('code', 'stored_text', 'fields', jsonb_build_object(
            'text', reason,
            'origin', CASE
              WHEN d.reasons @> reason OR d.provenance->'notes' @> reason THEN 'rights'
              WHEN c.violations @> reason OR reason = to_jsonb($1::text) THEN 'caption'
              ELSE 'source'
            END))
          ELSE reason END ORDER BY position)
        FROM jsonb_array_elements(i.review_reasons) WITH ORDINALITY AS r(reason, position)
        LEFT JOIN captions c ON c.item_id = i.id
        LEFT JOIN rights_verdicts d ON d.item_id = i.id)
      WHERE jsonb_path_exists(i.review_reasons, '$[*] ? (@.type() == "string")')`,
      [WRITTEN_BY_HAND],
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      UPDATE content_items i SET review_reasons = (
        SELECT jsonb_agg(coalesce(reason->'fields'->'text', reason) ORDER BY position)
        FROM jsonb_array_elements(i.review_reasons) WITH ORDINALITY AS r(reason, position))
      WHERE jsonb_path_exists(i.review_reasons, '$[*] ? (@.code == "stored_text")')`);
  }
}

/** The only caption reason that was not stored with the caption. */
const WRITTEN_BY_HAND = 'The caption was written by hand, without a look of the models at the file.';
