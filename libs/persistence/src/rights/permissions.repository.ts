import type { PermissionProof, PermissionStatus } from '@autoposter/contracts';
import { type ClaimTarget, type ReviewReason, reviewReason, targetsOf } from '@autoposter/domain';
import { v7 as uuidv7 } from 'uuid';
import type { ContentItem } from '../content-item/content-item.entity';
import { SqlQueries } from '../database/sql-repository';
import { targetedPost } from './claims.repository';

export type StoredProof = PermissionProof & { objectKey: string };

export interface Permission extends ClaimTarget {
  id: string;
  grantor: string;
  contact: string | null;
  /** As it was written; one that has expired is still `granted`. */
  status: Exclude<PermissionStatus, 'expired'>;
  /** The request that a person sends. */
  request: string;
  answer: string | null;
  answeredAt: Date | null;
  /** Replaces the credit line of captions. */
  credit: string | null;
  /** The Instagram account that must be a collaborator. */
  collaborator: string | null;
  /** With the ones that it replaced, newest first. */
  proof: (StoredProof & { earlier?: StoredProof[] }) | null;
  expiresAt: Date | null;
  revokedAt: Date | null;
  revokeReason: string | null;
  createdBy: string;
  createdAt: Date;
}

/** What permissions say about one post. */
export interface PermissionState {
  /** Why it may not be published: a permission was refused, revoked or has ended, or its subreddit or account requires one that is missing. */
  refusal: ReviewReason | null;
  /** The credit line that the author asked for. */
  credit: string | null;
  /** The author permits a collaboration only: the Instagram account that must be a collaborator. */
  collaborator: string | null;
  /** The permission that counts, with the hash of its proof. */
  granted: { id: string; proofSha256: string | null } | null;
}

const NOTHING_SAID = { refusal: null, credit: null, collaborator: null, granted: null };

interface StateRow extends Pick<Permission, 'credit' | 'collaborator'> {
  id: string | null;
  proofSha256: string | null;
  status: 'granted' | 'refused' | 'revoked' | 'expired' | null;
  grantor: string | null;
  requiredBy: 'subreddit' | 'account' | null;
}

const COLUMNS = `id, kind, key, grantor, contact, status, request, answer, answered_at AS "answeredAt", credit, collaborator, proof, expires_at AS "expiresAt",
  revoked_at AS "revokedAt", revoke_reason AS "revokeReason", created_by AS "createdBy", created_at AS "createdAt"`;

/** Also if the end of the permission was not acted on yet. */
const IS_OVER = `(r.status = 'granted' AND r.expires_at <= now()) IS TRUE`;

/**
 * The most particular answer counts: about the post, else of its author, else for the subreddit. Of several it is the latest, where a
 * revocation is an answer, too. A permission that has ended is an answer as well, until its author gives another.
 */
const STATE = `
  SELECT p.id, p."proofSha256", p.status, p.grantor, p.credit, p.collaborator,
         CASE WHEN EXISTS (SELECT 1 FROM subreddits WHERE needs_permission AND (id = $1 OR lower(name) = lower($2))) THEN 'subreddit'
              WHEN EXISTS (SELECT 1 FROM instagram_accounts WHERE needs_permission AND id = $5) THEN 'account' END AS "requiredBy"
  FROM (SELECT) one LEFT JOIN LATERAL (
    SELECT id, proof->>'sha256' AS "proofSha256", CASE WHEN is_over THEN 'expired' ELSE status END AS status, grantor, credit, collaborator FROM (
      SELECT r.*, ${IS_OVER} AS is_over, max(r.answered_at) FILTER (WHERE r.status = 'granted' AND r.kind <> 'subreddit' AND NOT ${IS_OVER}) OVER () AS "permittedAt"
      FROM rights_permissions r JOIN unnest($3::text[], $4::text[]) AS given (kind, key) ON r.key = given.key AND r.kind = given.kind
      WHERE r.status <> 'requested'
    ) a WHERE NOT is_over OR "permittedAt" IS NULL OR "permittedAt" <= answered_at
    ORDER BY array_position(ARRAY['url','author','subreddit'], kind), coalesce(revoked_at, answered_at) DESC, status DESC LIMIT 1
  ) p ON true`;

/** Who permitted us to publish what, with requests, answers and proofs. */
export class PermissionRepository extends SqlQueries {
  async create(permission: Pick<Permission, 'kind' | 'key' | 'grantor' | 'contact' | 'request' | 'createdBy'>): Promise<string> {
    const { kind, key, grantor, contact, request, createdBy } = permission;
    const id = uuidv7();
    await this.run(
      'INSERT INTO rights_permissions (id, kind, key, grantor, contact, request, created_by) VALUES ($1, $2, $3, $4, $5, $6, $7)',
      [id, kind, key, grantor, contact, request, createdBy],
    );
    return id;
  }

  async find(id: string): Promise<Permission | null> {
    return this.selectFirst<Permission>(`SELECT ${COLUMNS} FROM rights_permissions WHERE id = $1`, [id]);
  }

  async page(offset: number, limit: number): Promise<{ permissions: Permission[]; total: number }> {
    const { rows } = await this.run<Permission>(
      `SELECT ${COLUMNS} FROM rights_permissions ORDER BY created_at DESC, id LIMIT $1 OFFSET $2`,
      [limit, offset],
    );
    return { permissions: rows, total: await this.count('SELECT count(*)::int FROM rights_permissions', []) };
  }

  /** Compare-and-set; an answer may be corrected until the permission is revoked. */
  async answer(
    id: string,
    {
      status,
      answer,
      credit,
      collaborator,
      expiresAt,
    }: Pick<Permission, 'answer' | 'credit' | 'collaborator' | 'expiresAt'> & { status: 'granted' | 'refused' },
  ): Promise<boolean> {
    return this.affectsRow(
      `UPDATE rights_permissions SET status = $2, answer = $3, credit = $4, expires_at = $5, collaborator = $6, answered_at = now(), ended_at = NULL
       WHERE id = $1 AND status <> 'revoked'`,
      [id, status, answer, credit, expiresAt, collaborator],
    );
  }

  /** The former proof is kept: it may be what the permission was based on when a post was published. */
  async addProof(id: string, proof: StoredProof): Promise<void> {
    await this.run(
      `UPDATE rights_permissions SET proof = CASE WHEN proof IS NULL THEN $2::jsonb WHEN proof->>'sha256' = $2::jsonb->>'sha256' THEN proof
         ELSE $2::jsonb || jsonb_build_object('earlier', jsonb_build_array(proof - 'earlier') || coalesce(proof->'earlier', '[]')) END
       WHERE id = $1`,
      [id, JSON.stringify(proof)],
    );
  }

  async revoke(id: string, reason: string): Promise<boolean> {
    return this.affectsRow(
      `UPDATE rights_permissions SET status = 'revoked', revoked_at = now(), revoke_reason = $2 WHERE id = $1 AND status = 'granted'`,
      [id, reason],
    );
  }

  /** Permissions whose last `days` days began between two times; those that were given for less, with the answer. */
  endingBetween(after: Date, until: Date, days: number): Promise<number> {
    return this.count(
      `SELECT count(*)::int FROM (
         SELECT greatest(expires_at - make_interval(days => $3), answered_at) AS at FROM rights_permissions WHERE status = 'granted' AND ended_at IS NULL
       ) ending WHERE at > $1 AND at <= $2`,
      [after, until, days],
    );
  }

  /** Ids of permissions that have expired and were not processed since. */
  due(): Promise<string[]> {
    return this.column(`SELECT r.id FROM rights_permissions r WHERE ${IS_OVER} AND r.ended_at IS NULL ORDER BY r.expires_at, r.id`, []);
  }

  /** Compare-and-set, for whoever acts on the end of a permission. What it was about; `null` if there is nothing to do. */
  async end(id: string): Promise<ClaimTarget | null> {
    return this.selectFirst<ClaimTarget>(
      `UPDATE rights_permissions r SET ended_at = now() WHERE r.id = $1 AND ${IS_OVER} AND r.ended_at IS NULL RETURNING r.kind, r.key`,
      [id],
    );
  }

  /** Until the end of the transaction, whether the account or the subreddit of the item requires a permission does not change. */
  async keepRequirements({ subredditId, subreddit }: ContentItem, queueAccountId: string): Promise<void> {
    await this.run('SELECT FROM instagram_accounts WHERE id = $1 FOR SHARE', [queueAccountId]);
    await this.run('SELECT FROM subreddits WHERE id = $1 OR lower(name) = lower($2) FOR SHARE', [subredditId, subreddit]);
  }

  /** `queueAccountId`: the account in whose queue it waits or will wait; `null` while it is in none. */
  async stateOf(item: ContentItem, queueAccountId: string | null): Promise<PermissionState> {
    const targets = targetsOf(targetedPost(item));
    const { rows } = await this.run<StateRow>(STATE, [
      item.subredditId,
      item.subreddit,
      targets.map(({ kind }) => kind),
      targets.map(({ key }) => key),
      queueAccountId,
    ]);
    return rows[0] === undefined ? NOTHING_SAID : stateIn(rows[0]);
  }
}

function stateIn({ id, proofSha256, status, grantor, credit, collaborator, requiredBy }: StateRow): PermissionState {
  if (status === 'granted') return { ...NOTHING_SAID, credit, collaborator, granted: id === null ? null : { id, proofSha256 } };
  // a post that is published all the same keeps the conditions
  if (status === 'expired')
    return { ...NOTHING_SAID, refusal: reviewReason('permission_expired', { grantor: grantor ?? '' }), credit, collaborator };
  if (status !== null) return { ...NOTHING_SAID, refusal: reviewReason(`permission_${status}`, { grantor: grantor ?? '' }) };
  if (requiredBy === null) return NOTHING_SAID;
  return { ...NOTHING_SAID, refusal: reviewReason('permission_missing', requiredBy === 'account' ? { by: requiredBy } : undefined) };
}
