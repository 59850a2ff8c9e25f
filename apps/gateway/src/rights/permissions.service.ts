import {
  type AnswerPermissionBody,
  type CreatePermissionBody,
  type HeldBack,
  type PermissionView,
  PROOF_BYTES,
} from '@autoposter/contracts';
import { claimTarget, draftPermissionRequest, type ClaimTarget, type StoredReviewReason } from '@autoposter/domain';
import type { ObjectStore } from '@autoposter/object-store';
import { Database, type Permission, type StoredProof, type UnitOfWork } from '@autoposter/persistence';
import { type ClaimFinding, dropReviewReasons, holdBack } from '@autoposter/workflow';
import { ConflictException, Inject, Injectable, NotFoundException, UnprocessableEntityException } from '@nestjs/common';
import { OBJECTS } from '../bootstrap/systems';
import { MediaLinks } from '../media/media-links';
import { storeUpload } from './store-upload';

/** Permissions of authors: asked for, answered with proof, revoked. */
@Injectable()
export class PermissionsService {
  constructor(
    private readonly database: Database,
    private readonly links: MediaLinks,
    @Inject(OBJECTS) private readonly objects: ObjectStore,
  ) {}

  async page({ page, limit }: { page: number; limit: number }): Promise<{ permissions: PermissionView[]; total: number }> {
    const { permissions, total } = await this.database.read.permissions.page((page - 1) * limit, limit);
    const now = await this.database.read.now();
    return { permissions: permissions.map((permission) => this.present(permission, now)), total };
  }

  /** Drafts the request. Nothing is sent from here. */
  async create({ kind, named, grantor, contact }: CreatePermissionBody, actor: string): Promise<PermissionView> {
    const target = claimTarget(kind, named);
    if (target === null) throw new UnprocessableEntityException(`Please give ${EXPECTED[kind]}.`);
    const request = draftPermissionRequest(grantor, target, named);
    const id = await this.database.unitOfWork(async (uow) => {
      const created = await uow.permissions.create({ ...target, grantor, contact: contact ?? null, request, createdBy: actor });
      await uow.audit.record({ actor, action: 'permission.request', subject: created, detail: { ...target, grantor } });
      return created;
    });
    return this.view(id);
  }

  /** A granted permission releases the posts that waited for it; a refused one stops posts as a revoked one does. */
  async answer(
    id: string,
    { granted, answer, credit, collaborator, expiresAt }: AnswerPermissionBody,
    actor: string,
  ): Promise<PermissionView> {
    const before = await this.find(id);
    const { kind, key } = before;
    const status = granted ? 'granted' : 'refused';
    const held = await this.database.unitOfWork(async (uow): Promise<HeldBack | null> => {
      const ends = expiresAt === undefined ? null : new Date(expiresAt);
      if (ends !== null && ends <= (await uow.now())) throw new UnprocessableEntityException('Please give an end in the future.');
      const terms = { credit: credit ?? null, collaborator: collaborator ?? null, expiresAt: ends };
      if (!(await uow.permissions.answer(id, { status, answer, ...terms })))
        throw new ConflictException('This permission was already revoked.');
      const released = granted ? await this.release(uow, { kind, key }, actor) : 0;
      const heldBack = granted ? null : await stopPosts(uow, { kind, key }, { actor, permission: 'refused' });
      await uow.audit.record({
        actor,
        action: `permission.${status}`,
        subject: id,
        detail: { kind, key, answer, credit, collaborator, expiresAt, released, former: formerAnswer(before), ...heldBack },
      });
      return heldBack;
    });
    return { ...(await this.view(id)), ...(held === null ? {} : { held }) };
  }

  async addProof(id: string, body: AsyncIterable<Uint8Array>, actor: string): Promise<PermissionView> {
    await this.find(id);
    const since = await this.database.read.now();
    const { key, bytes, sha256, contentType } = await storeUpload(this.objects, body, { as: 'proof', maxBytes: PROOF_BYTES });
    await this.database.unitOfWork(async (uow) => {
      await uow.media.assertKept([key], since);
      await uow.permissions.addProof(id, { objectKey: key, bytes, sha256, contentType });
      await uow.audit.record({ actor, action: 'permission.proof', subject: id, detail: { bytes, sha256 } });
    });
    return this.view(id);
  }

  async revoke(id: string, reason: string, actor: string): Promise<PermissionView> {
    const { kind, key } = await this.find(id);
    const held = await this.database.unitOfWork(async (uow): Promise<HeldBack> => {
      if (!(await uow.permissions.revoke(id, reason))) throw new ConflictException('Only a granted permission can be revoked.');
      const heldBack = await stopPosts(uow, { kind, key }, { actor, permission: 'revoked' });
      await uow.audit.record({ actor, action: 'permission.revoked', subject: id, detail: { kind, key, reason, ...heldBack } });
      return heldBack;
    });
    return { ...(await this.view(id)), held };
  }

  /**
   * Removes the permission reason from posts that may be published now; fully automatic ones continue to the queue. Published ones may stay:
   * their cases are dismissed.
   */
  private async release(uow: UnitOfWork, target: ClaimTarget, actor: string): Promise<number> {
    let released = 0;
    for (const { id } of await itemsNamed(uow, target)) {
      const item = await uow.items.findForUpdate(id);
      if (item === null || (await uow.permissions.stateOf(item, null)).refusal !== null) continue;
      for (const caseId of await uow.cases.dismissPermitted(id, actor, PERMITTED))
        await uow.audit.record({ actor, action: 'rights.case.dismissed', subject: caseId, detail: { note: PERMITTED } });
      if (!item.reviewReasons.some(isAboutPermission)) continue;
      await dropReviewReasons(uow, item, isAboutPermission, actor);
      released += 1;
    }
    return released;
  }

  private async find(id: string): Promise<Permission> {
    const found = await this.database.read.permissions.find(id);
    if (found === null) throw new NotFoundException('There is no such permission.');
    return found;
  }

  private async view(id: string): Promise<PermissionView> {
    return this.present(await this.find(id), await this.database.read.now());
  }

  private present({ proof, answeredAt, expiresAt, revokedAt, createdAt, status, ...permission }: Permission, now: Date): PermissionView {
    const isOver = status === 'granted' && expiresAt !== null && expiresAt <= now;
    const shown = ({ bytes, sha256, contentType }: StoredProof, place: number) => ({
      ...{ bytes, sha256, contentType },
      url: this.links.to('compared', permission.id, place),
    });
    return {
      ...permission,
      status: isOver ? 'expired' : status,
      proof: proof === null ? null : shown(proof, 0),
      earlierProofs: (proof?.earlier ?? []).map((earlier, index) => shown(earlier, index + 1)),
      answeredAt: answeredAt?.toISOString() ?? null,
      expiresAt: expiresAt?.toISOString() ?? null,
      revokedAt: revokedAt?.toISOString() ?? null,
      createdAt: createdAt.toISOString(),
    };
  }
}

/** Acts on the end of a permission, once: its posts are stopped as by a revocation. */
export async function endPermission(uow: UnitOfWork, id: string, actor: string): Promise<void> {
  const target = await uow.permissions.end(id);
  if (target === null) return;
  const heldBack = await stopPosts(uow, target, { actor, permission: 'expired' });
  await uow.audit.record({ actor, action: 'permission.expired', subject: id, detail: { ...target, ...heldBack } });
}

/** Unpublished posts that no other permission covers wait for a person; the removal of published ones is proposed as a case. */
async function stopPosts(
  uow: UnitOfWork,
  target: ClaimTarget,
  by: { actor: string; permission: 'refused' | 'revoked' | 'expired' },
): Promise<HeldBack> {
  const findings: ClaimFinding[] = [];
  for (const item of await itemsNamed(uow, target)) {
    const { refusal } = await uow.permissions.stateOf(item, null);
    // an end stops nothing that another answer has stopped or permits since
    if (refusal === null || (by.permission === 'expired' && refusal.code !== 'permission_expired')) continue;
    findings.push({ itemId: item.id, verdict: 'flagged', reasons: [refusal] });
  }
  return holdBack(uow, findings, { ...by, claimId: null });
}

/** By id, the common lock order. */
async function itemsNamed(uow: UnitOfWork, target: ClaimTarget) {
  await uow.allowMinutes(2);
  const ids = (await uow.claims.itemsNamed([target])).map(({ itemId }) => itemId);
  return (await uow.items.findMany(ids)).sort((a, b) => (a.id < b.id ? -1 : 1));
}

const PERMITTED = 'A permission covers this post now.';

/** An answer may be corrected; the audit log keeps the words of the former one. */
const formerAnswer = ({ status, answer, credit, collaborator, expiresAt, answeredAt }: Permission) =>
  answeredAt === null ? null : { status, answer, credit, collaborator, expiresAt, answeredAt };

const ABOUT_PERMISSION: readonly string[] = [
  'permission_missing',
  'permission_refused',
  'permission_revoked',
  'permission_expired',
  'collaboration_unavailable',
];
const isAboutPermission = (reason: StoredReviewReason): boolean => typeof reason !== 'string' && ABOUT_PERMISSION.includes(reason.code);

const EXPECTED = {
  url: 'the address of a post',
  author: 'an author as u/name or @name',
  subreddit: 'the name of a subreddit',
};
