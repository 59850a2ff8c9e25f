import { mdiAlertOutline } from '@mdi/js';
import type { ContentDetails } from '@autoposter/contracts';
import { useState } from 'react';
import { Link as RouterLink, useParams } from 'react-router-dom';
import { CaptionEditor } from '../../app/caption-editor';
import { notifyResult } from '../../app/notifications/notify-result';
import { useContentDetails } from '../../data/content/use-content';
import { useMarkOriginality, useOriginalityMark } from '../../data/rights/use-rights';
import { ITEM_TEXT as TEXT } from '../../text/item.text';
import { ORIGINALITY_TEXT } from '../../text/takedown.text';
import { STANDALONE_LINK } from '../../theme/tokens';
import { RefreshButton } from '../../ui/actions';
import { EmptyState, LoadState, MessageBar } from '../../ui/feedback';
import { SelectField } from '../../ui/fields';
import { sourceName, titleText } from '../../ui/format';
import { Page, Panel } from '../../ui/layout';
import { LazyVideo } from '../../ui/media';
import { Box, Button, Link, Stack } from '../../ui/mui';
import { StageBar } from '../../ui/stage-bar';
import { acceptsManualCaption, stageProgressOf } from '../../ui/stage-progress';
import { PlatformBadge, StatusPill } from '../../ui/status';
import { useNow } from '../../ui/timers';
import { History, stageRows, Waterfall } from './item-timeline';

function Lead({ item }: { item: ContentDetails }) {
  return (
    <Stack direction="row" sx={{ gap: 2, flexWrap: 'wrap', alignItems: 'center', mt: 1 }}>
      <StatusPill status={item.downloadStatus} />
      <PlatformBadge platform={item.platform} />
      <span>{sourceName(item)}</span>
      <Link href={item.originalUrl ?? item.url} target="_blank" rel="noreferrer" sx={STANDALONE_LINK}>
        {TEXT.original}
      </Link>
    </Stack>
  );
}

function Rights({ rights }: { rights: NonNullable<ContentDetails['rights']> }) {
  const words = [TEXT.verdicts[rights.verdict], ...rights.reasons].join('. ');
  return (
    <MessageBar tone={rights.verdict === 'clear' ? 'green' : rights.verdict === 'flagged' ? 'orange' : 'red'}>
      {`${TEXT.rights}: ${words}`}
    </MessageBar>
  );
}

/** A manual caption in place of a generated one. An unsaved draft stays when the post moves on. */
function ManualCaption({ item }: { item: ContentDetails }) {
  const [unsaved, setUnsaved] = useState(false);
  const wanted = acceptsManualCaption(item);
  if (!wanted && !unsaved) return null;
  return (
    <Panel title={TEXT.caption} lead={wanted ? TEXT.manualCaption : TEXT.movedOn}>
      <CaptionEditor
        id={item.id}
        caption={item.aiContent?.caption ?? ''}
        hashtags={item.aiContent?.hashtags ?? []}
        onUnsaved={setUnsaved}
      />
    </Panel>
  );
}

function ItemDetails({ item }: { item: ContentDetails }) {
  const now = useNow();
  const rows = stageRows(item);
  const file = item.processedCdnUrl ?? item.videoUrl ?? null;
  const isExpected = item.downloadStatus !== 'failed';
  return (
    <Box sx={{ display: 'grid', gap: 5, alignItems: 'start', gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: '280px minmax(0, 1fr)' } }}>
      <Stack sx={{ gap: 4, maxWidth: { xs: 240, md: 'none' } }}>
        {file !== null || isExpected ? (
          <Box sx={{ aspectRatio: '9 / 16', borderRadius: 2, overflow: 'hidden', border: 1, borderColor: 'line.main' }}>
            <LazyVideo
              src={file}
              poster={item.posterUrl}
              label={titleText(item.title)}
              image={item.mediaType === 'image'}
              controls="all"
              fit="contain"
            />
          </Box>
        ) : null}
        <StageBar rail={stageProgressOf(item)} />
      </Stack>
      <Stack sx={{ gap: 5, minWidth: 0 }}>
        {item.rights === null ? null : <Rights rights={item.rights} />}
        <OriginalityMark id={item.id} />
        <ManualCaption item={item} />
        <Panel title={TEXT.timeline} lead={stageProgressOf(item).sentence} flush>
          {rows.length === 0 ? <EmptyState compact icon={mdiAlertOutline} title={TEXT.noRuns} /> : <Waterfall rows={rows} now={now} />}
        </Panel>
        <Panel title={TEXT.history} flush>
          <History entries={item.timeline} />
        </Panel>
      </Stack>
    </Box>
  );
}

export function ItemScreen() {
  const { id = '' } = useParams();
  const details = useContentDetails(id);
  const item = details.data;
  return (
    <Page
      title={titleText(item?.title, TEXT.title)}
      lead={item === undefined ? undefined : <Lead item={item} />}
      actions={
        item === undefined ? undefined : (
          <>
            {item.aiContent === null ? null : (
              <Button component={RouterLink} to={`/admin/processed?item=${item.id}&dialog=details`} variant="outlined">
                {TEXT.details}
              </Button>
            )}
            <Button component={RouterLink} to={`/admin/rights?item=${item.id}`} variant="outlined">
              {TEXT.claim}
            </Button>
            <RefreshButton label={TEXT.refresh} onRefresh={details.refetch} />
          </>
        )
      }
    >
      <LoadState query={details} loading={{ rows: 5, height: 84, label: TEXT.loading }} error={TEXT.loadError} />
      {item === undefined ? null : <ItemDetails key={item.id} item={item} />}
    </Page>
  );
}

/** What an administrator says about the originality of the post; it counts in the estimate on the Rights screen. */
function OriginalityMark({ id }: { id: string }) {
  const mark = useOriginalityMark(id);
  const save = useMarkOriginality();
  if (mark.data === undefined) return null;
  return (
    <SelectField
      label={ORIGINALITY_TEXT.mark}
      value={mark.data.mark ?? ''}
      options={Object.entries(ORIGINALITY_TEXT.marks)}
      helperText={ORIGINALITY_TEXT.markHelp}
      disabled={save.isPending}
      onChange={(next) => {
        const saved = save.mutateAsync({ id, mark: next === '' ? null : (next as 'original' | 'edited') });
        void notifyResult(saved, ORIGINALITY_TEXT.marked, ORIGINALITY_TEXT.failed);
      }}
    />
  );
}
