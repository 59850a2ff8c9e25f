import { SqlQueries } from '../database/sql-repository';
import type { MatchedWork } from './answers.repository';

/** The picture of one side of a match, as the decision saw it. */
export interface MatchedFrame {
  other: MatchedWork;
  /** Number of the item's file, from 0. */
  file: number;
  side: 'ours' | 'theirs';
  /** Its second in a video; `null` for a picture. */
  atSeconds: number | null;
  contentType: string;
  sha256: string;
  bytes: Uint8Array;
}

/** What a provenance record says of frames. */
export const recordedFrames = (frames: readonly MatchedFrame[]): Omit<MatchedFrame, 'bytes' | 'contentType'>[] =>
  frames.map(({ bytes: _bytes, contentType: _type, ...frame }) => frame);

/** The matching frames of rights decisions. They are kept beside the files, because a claim or an item may lose its files. */
export class FrameRepository extends SqlQueries {
  /** Adds frames; a decision that is repeated has the same ones. */
  async add(itemId: string, frames: readonly MatchedFrame[]): Promise<void> {
    for (const { other, file, side, atSeconds, contentType, sha256, bytes } of frames) {
      await this.run(
        `INSERT INTO rights_frames (item_id, other_kind, other_id, file_no, side, at_seconds, content_type, sha256, bytes)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING`,
        [itemId, other.kind, other.id, file, side, atSeconds, contentType, sha256, Buffer.from(bytes)],
      );
    }
  }

  async ofItem(itemId: string): Promise<MatchedFrame[]> {
    const { rows } = await this.run<Omit<MatchedFrame, 'other'> & { kind: MatchedWork['kind']; id: string }>(
      `SELECT other_kind AS kind, other_id AS id, file_no AS file, side, at_seconds AS "atSeconds", content_type AS "contentType", sha256, bytes
       FROM rights_frames WHERE item_id = $1 ORDER BY other_kind, other_id, file_no, side, sha256`,
      [itemId],
    );
    return rows.map(({ kind, id, ...frame }) => ({ other: { kind, id }, ...frame }));
  }
}
