import { FETCH_STAGE, RIGHTS_STAGE, type Platform, type ProcessingError } from '@autoposter/contracts';
import { ITEM_FLOW, ITEM_TRANSITIONS, type ItemState } from '@autoposter/domain';
import { v7 as uuidv7 } from 'uuid';
import { assertAllowed, IdRepository, type Transition } from '../database/sql-repository';
import { ContentItem, type NewItem } from './content-item.entity';
import { type ItemInsertion, type ItemMove, moveStatements, RefusedMoves } from './item-moves';

interface ItemPage {
  states?: readonly ItemState[];
  limit?: number;
  /** Cursor: `createdAt` and `id` of the last item of the page before. */
  after?: { createdAt: Date; id: string };
}

export class ItemRepository extends IdRepository<ContentItem> {
  /** States that this unit of work wrote; it holds the locks of these rows, so they are current. */
  private readonly written = new Map<string, ItemState>();

  protected readonly entity = ContentItem;

  private readonly writeMoves = async (moves: readonly ItemMove[]): Promise<void> => {
    for (const { text, values, size } of moveStatements(moves)) {
      const { count } = await this.send(text, values);
      if (count !== size) throw new RefusedMoves(size, count);
    }
  };

  /** Creates the items whose source posts are not known yet, with one statement, and returns them. */
  async createMany(items: readonly NewItem[]): Promise<ContentItem[]> {
    const { rows } = await this.insertMany(
      items.map((item) => ({ id: uuidv7(), state: 'accepted' as const, ...item })),
      'ON CONFLICT (platform, source_id) DO NOTHING RETURNING *',
    );
    return rows.map((row) => this.toEntity(row));
  }

  async stateOf(id: string): Promise<ItemState | null> {
    const written = this.written.get(id);
    if (written !== undefined) return written;
    return this.value('SELECT state FROM content_items WHERE id = $1', [id]);
  }

  /** Items in one of these states without a job to finish it, unchanged for ten minutes. */
  idsWithoutOpenJob(states: readonly ItemState[], limit: number): Promise<string[]> {
    return this.column(
      `SELECT i.id FROM content_items i WHERE i.state = ANY($1::text[]) AND i.updated_at < now() - interval '10 minutes'
         AND NOT EXISTS (SELECT 1 FROM stage_jobs j WHERE j.item_id = i.id AND j.state IN ('requested','running','waiting','retrying'))
       LIMIT $2`,
      [states, limit],
    );
  }

  /** Failed and blocked items by the stage that ended them. */
  async countFailedByStage(): Promise<Map<string, number>> {
    const { rows } = await this.run<{ stage: string; n: number }>(
      `SELECT coalesce(failed_stage, '${RIGHTS_STAGE}') AS stage, count(*)::int AS n
       FROM content_items WHERE state IN ('failed','blocked') GROUP BY 1`,
    );
    return new Map(rows.map(({ stage, n }) => [stage, n]));
  }

  findMany(ids: readonly string[]): Promise<ContentItem[]> {
    return this.rows('SELECT * FROM content_items WHERE id = ANY($1::uuid[])', [ids]);
  }

  findBySource(platform: Platform, sourceId: string): Promise<ContentItem | null> {
    return this.row('SELECT * FROM content_items WHERE platform = $1 AND source_id = $2', [platform, sourceId]);
  }

  /**
   * The source ids among these that were collected before. `removed`: the item was discarded or deleted since; `interrupted`: its download
   * failed because the source denied all access.
   */
  async findKnown(
    platform: Platform,
    sourceIds: readonly string[],
  ): Promise<Map<string, { id: string; removed: boolean; interrupted: boolean }>> {
    const { rows } = await this.run<{ id: string; source_id: string; state: ItemState; interrupted: boolean }>(
      `SELECT id, source_id, state,
              coalesce(state = 'failed' AND failed_stage = '${FETCH_STAGE}' AND processing_errors->-1->>'kind' IN ('not_configured','not_authorised'), false) AS interrupted
       FROM content_items WHERE platform = $1 AND source_id = ANY($2::text[])`,
      [platform, sourceIds],
    );
    return new Map(
      rows.map(({ id, source_id, state, interrupted }) => [
        source_id,
        { id, removed: state === 'discarded' || state === 'deleted', interrupted },
      ]),
    );
  }

  /**
   * The keys among these that an item has already. Locks them until the transaction ends, so that two runs never accept the same media
   * concurrently.
   */
  async lockSourceKeys(keys: readonly string[]): Promise<Set<string>> {
    await this.run(
      `SELECT pg_advisory_xact_lock(hashtextextended(key, 1)) FROM (SELECT DISTINCT key FROM unnest($1::text[]) AS given (key) ORDER BY key) AS ordered`,
      [keys],
    );
    const known = await this.column<string>(
      `SELECT DISTINCT source_key FROM content_items
       WHERE source_key IS NOT NULL AND md5(source_key) = ANY(SELECT md5(key) FROM unnest($1::text[]) AS given (key)) AND source_key = ANY($1::text[])`,
      [keys],
    );
    return new Set(known);
  }

  /** Newest first. */
  list({ states, limit, after }: ItemPage = {}): Promise<ContentItem[]> {
    return this.rows(
      `SELECT * FROM content_items
       WHERE ($1::text[] IS NULL OR state = ANY($1)) AND ($2::timestamptz IS NULL OR (created_at, id) < ($2, $3::uuid))
       ORDER BY created_at DESC, id DESC LIMIT $4`,
      [states ?? null, after?.createdAt ?? null, after?.id ?? null, limit ?? null],
    );
  }

  /** Unpublished items that wait for the permission that their subreddit or an account requires, by id. */
  async idsWithoutPermission(): Promise<string[]> {
    return this.column(
      `SELECT id FROM content_items WHERE needs_review AND state <> 'posted' AND review_reasons @> '[{"code":"permission_missing"}]' ORDER BY id`,
    );
  }

  /** Reddit posts in these states that were not checked at their source for this long, oldest check first. */
  dueForSourceCheck(states: readonly ItemState[], notCheckedForSeconds: number, limit: number): Promise<ContentItem[]> {
    return this.rows(
      `SELECT i.* FROM unnest($1::text[]) AS wanted (state) CROSS JOIN LATERAL (
         SELECT * FROM content_items
         WHERE state = wanted.state AND platform = 'reddit' AND source_removed_at IS NULL AND state NOT IN ('accepted','${ITEM_FLOW.activeStates[FETCH_STAGE]}','deleted')
           AND (source_checked_at IS NULL OR source_checked_at < now() - make_interval(secs => $2))
         ORDER BY source_checked_at NULLS FIRST, id LIMIT $3) i
       ORDER BY i.source_checked_at NULLS FIRST, i.id LIMIT $3`,
      [states, notCheckedForSeconds, limit],
    );
  }

  /** As `dueForSourceCheck`, of posts that were deleted here and are published. */
  deletedDueForSourceCheck(notCheckedForSeconds: number, limit: number): Promise<ContentItem[]> {
    return this.rows(
      `SELECT i.* FROM publish_attempts p JOIN content_items i ON i.id = p.item_id
       WHERE p.state = 'published' AND i.state = 'deleted' AND i.platform = 'reddit' AND i.source_removed_at IS NULL
         AND (i.source_checked_at IS NULL OR i.source_checked_at < now() - make_interval(secs => $1))
       ORDER BY i.source_checked_at NULLS FIRST, i.id LIMIT $2`,
      [notCheckedForSeconds, limit],
    );
  }

  async markSourceChecked(ids: readonly string[]): Promise<void> {
    await this.run('UPDATE content_items SET source_checked_at = now() WHERE id = ANY($1::uuid[])', [ids]);
  }

  /**
   * Removes the content of a post that was removed at its source: files, previews, matched frames, comments, the source post, model inputs and outputs. Ids,
   * fingerprints and the rights decision stay. Returns the files; the caller deletes their objects after the commit.
   */
  async purgeContent(id: string): Promise<{ objectKey: string; sha256: string }[]> {
    const { rows } = await this.run<{ object_key: string; sha256: string }>(
      'DELETE FROM media_files WHERE item_id = $1 RETURNING object_key, sha256',
      [id],
    );
    await this.run(
      `UPDATE content_items SET source_removed_at = now(), source_checked_at = now(), updated_at = now(), failure_seen_at = NULL,
         top_comments = '[]', source_post = NULL WHERE id = $1`,
      [id],
    );
    await this.run(`DELETE FROM fingerprint_previews WHERE owner_kind = 'item' AND owner_id = $1`, [id]);
    await this.run(
      `DELETE FROM rights_frames WHERE item_id = $1 AND side = 'ours' OR other_kind = 'item' AND other_id = $1 AND side = 'theirs'`,
      [id],
    );
    await this.run(`UPDATE captions SET analysis = NULL, visuals = NULL, text_analysis = NULL WHERE item_id = $1`, [id]);
    await this.run(`UPDATE stage_jobs SET journal = '{}' WHERE item_id = $1 AND state IN ('done','dead','cancelled')`, [id]);
    return rows.map((row) => ({ objectKey: row.object_key, sha256: row.sha256 }));
  }

  async countByState(): Promise<Partial<Record<ItemState, number>>> {
    const { rows } = await this.run<{ state: ItemState; count: number }>(
      'SELECT state, count(*)::int AS count FROM content_items GROUP BY state',
    );
    return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
  }

  /**
   * Compare-and-set by version; returns `false` and writes nothing if a concurrent writer won. Throws if the transition table does not allow the
   * step.
   */
  async transition(id: string, step: Transition<ItemState, ContentItem>): Promise<boolean> {
    const move = this.transitionStatement(id, step);
    if (this.deferred?.areConditional) {
      if (this.deferred.has(id)) await this.deferred.flush();
      this.deferred.add(this.writeMoves, move, id);
    } else {
      const [statement] = moveStatements([move]);
      if (statement === undefined || (await this.run(statement.text, statement.values)).count !== 1) return false;
    }
    this.rememberState(id, step.to);
    return true;
  }

  /** The move of `transition`, for `JobRepository.createWith`. */
  transitionStatement(id: string, { fromVersion, from, to, patch }: Transition<ItemState, ContentItem>): ItemMove {
    assertAllowed('An item', ITEM_TRANSITIONS, from, to);
    return { id, fromVersion, from, to, set: this.columnsOf(patch ?? {}) };
  }

  /** The insertion of a new item with its first job, for `JobRepository.createWith`. */
  insertionStatement({ createdAt: _created, updatedAt: _updated, ...stored }: ContentItem): ItemInsertion {
    return { id: stored.id, insert: this.columnsOf(stored) };
  }

  /** To be called after `transitionStatement` was executed. */
  rememberState(id: string, to: ItemState): void {
    if (this.manager.queryRunner?.isTransactionActive) this.written.set(id, to);
  }

  /** Writes fields without checking the version; `transition` writes the state. */
  async patch(id: string, values: Partial<Omit<ContentItem, 'id' | 'state' | 'version'>>): Promise<void> {
    const set = this.assignments(values, 2);
    await this.run(`UPDATE content_items SET updated_at = now(), ${set.text} WHERE id = $1`, [id, ...set.parameters]);
  }

  /** Appends to the item's processing errors; the newest thirty stay. */
  async addError(id: string, error: ProcessingError): Promise<void> {
    await this.run(
      `UPDATE content_items SET failure_seen_at = NULL, updated_at = now(), processing_errors = (
         SELECT jsonb_agg(entry ORDER BY place) FROM (
           SELECT entry, place FROM jsonb_array_elements(processing_errors || $2::jsonb) WITH ORDINALITY AS list (entry, place) ORDER BY place DESC LIMIT 30
         ) newest)
       WHERE id = $1`,
      [id, JSON.stringify([error])],
    );
  }

  /** All failed items if `ids` is missing. */
  async markFailuresSeen(ids?: readonly string[]): Promise<void> {
    await this.run(
      `UPDATE content_items SET failure_seen_at = now()
       WHERE (state IN ('failed','blocked') OR source_removed_at IS NOT NULL) AND failure_seen_at IS NULL AND ($1::uuid[] IS NULL OR id = ANY($1))`,
      [ids ?? null],
    );
  }
}
