import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Captions that differ only in what Instagram may change have one hash; earlier hashes saw the variants of emoji and the white space of lines. */
export class CompareCaptions1763750000310 implements MigrationInterface {
  /** Written out: a bundler may rename the class. */
  readonly name = 'CompareCaptions1763750000310';

  async up(runner: QueryRunner): Promise<void> {
    const plain = `regexp_replace(normalize(caption, NFC), '[\ufe0e\ufe0f]', '', 'g')`;
    const comparable = `btrim(regexp_replace(${plain}, '[ \t\r]+(?=\n|$)', '', 'g'), E' \\t\\r\\n')`;
    await runner.query(
      `UPDATE publish_attempts SET caption_hash = encode(sha256(convert_to(${comparable}, 'UTF8')), 'hex')
       WHERE caption ~ '[\ufe0e\ufe0f]|[ \t\r]\n' OR caption IS NOT NFC NORMALIZED`,
    );
  }

  /** The former hash of a changed row was that of its trimmed caption. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `UPDATE publish_attempts SET caption_hash = encode(sha256(convert_to(btrim(caption, E' \\t\\r\\n'), 'UTF8')), 'hex')
       WHERE caption ~ '[\ufe0e\ufe0f]|[ \t\r]\n' OR caption IS NOT NFC NORMALIZED`,
    );
  }
}
