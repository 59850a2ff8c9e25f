import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Posts from before `source_key` get the key that `sourceKeyOf` gives to their source post, so that their crossposts are recognised too. */
export class KeyEarlierPosts1763750000105 implements MigrationInterface {
  /** Written out: a bundler may rename the class. */
  readonly name = 'KeyEarlierPosts1763750000105';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      UPDATE content_items AS i SET source_key = left(coalesce(k.media, 'post:' || coalesce(i.source_post->>'originId', i.source_id)), 2000)
      FROM content_items AS o CROSS JOIN LATERAL (
        SELECT 'media:' || string_agg(coalesce(
            lower(substring(address FROM '^https?://([^/?#]*)')) || coalesce(substring(address FROM '^https?://[^/?#]*(/[^?#]*)'), '/'),
            address), ' ' ORDER BY place) AS media
        FROM jsonb_array_elements(CASE WHEN jsonb_typeof(o.source_post->'media') = 'array' THEN o.source_post->'media' ELSE '[]' END)
               WITH ORDINALITY AS listed (file, place)
          CROSS JOIN LATERAL (SELECT coalesce(file->>'manifestUrl', file->>'url') AS address) AS named
      ) AS k
      WHERE o.id = i.id AND i.source_key IS NULL AND jsonb_typeof(i.source_post) = 'object'`);
  }

  /** The column is dropped by the migration that added it. */
  async down(): Promise<void> {
    await Promise.resolve();
  }
}
