import { CAPTION_STAGE, FETCH_STAGE, RIGHTS_STAGE } from '@autoposter/contracts';
import { ConflictException, Injectable } from '@nestjs/common';
import { ITEM_FLOW, PDQ_MIN_QUALITY, type ItemState } from '@autoposter/domain';
import { Database, type UnitOfWork } from '@autoposter/persistence';
import { lockItem, moveItem } from '../items/item-actions';

/** Where a discarded item may have come from. */
const { restingStates: FROM, rightsCheckedStates, doneStates } = ITEM_FLOW;

@Injectable()
export class RestoreService {
  constructor(private readonly database: Database) {}

  /** Puts a discarded item back where it was. 409 where it is not discarded, or where its work was claimed since. */
  async restore(id: string, actor: string): Promise<void> {
    await this.database.unitOfWork(async (uow) => {
      const item = await lockItem(uow, id);
      if (item.state !== 'discarded') throw new ConflictException(`Only a discarded post can be brought back; this one is ${item.state}.`);
      const to = (await formerState(uow, id)) ?? (await stateByWhatIsThere(uow, id));
      if (rightsCheckedStates.includes(to)) await refuseClaimed(uow, id);
      await moveItem(uow, item, to);
      uow.history.append({ type: 'item.restored', subjectId: id, itemId: id, state: to, actor });
      await uow.audit.record({ actor, action: 'item.restore', subject: id, detail: { state: to } });
    });
  }
}

const isFormer = (state: string | null): state is ItemState => FROM.some((each) => each === state);

/** The state that the history tells of last before the item was discarded; it is not kept for ever. */
async function formerState(uow: UnitOfWork, id: string): Promise<ItemState | null> {
  const events = await uow.history.ofItem(id);
  const discarded = events.map((event) => event.type).lastIndexOf('item.discarded');
  const before = events.slice(0, Math.max(0, discarded)).filter((event) => isFormer(event.state));
  const state = before.at(-1)?.state ?? null;
  return isFormer(state) ? state : null;
}

async function stateByWhatIsThere(uow: UnitOfWork, id: string): Promise<ItemState> {
  if (await uow.captions.of(id)) return doneStates[CAPTION_STAGE];
  return (await uow.media.ofItem(id)).some((file) => file.role === 'processed') ? doneStates[RIGHTS_STAGE] : doneStates[FETCH_STAGE];
}

async function refuseClaimed(uow: UnitOfWork, id: string): Promise<void> {
  const prints = await uow.rights.fingerprintsOf(id);
  const hashes = prints.flatMap((print) => print.sha256 ?? []);
  const pictures = prints.flatMap((print) => (print.pdqHash !== null && (print.pdqQuality ?? 0) >= PDQ_MIN_QUALITY ? [print.pdqHash] : []));
  const claim = (await uow.rights.findMatches(id, hashes, pictures)).find((match) => match.kind === 'claim');
  if (claim) throw new ConflictException(`This post shows the claimed work "${claim.title}" and stays where it is.`);
}
