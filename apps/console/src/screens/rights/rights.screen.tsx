import { RIGHTS_TEXT as TEXT } from '../../text/rights.text';
import { RIGHTS_VIEWS } from '../../text/takedown.text';
import { ToggleChoice } from '../../ui/fields';
import { Page } from '../../ui/layout';
import { Box } from '../../ui/mui';
import { useUrlState } from '../../ui/use-url-state';
import { MatchesView } from './matches-view';
import { NoticesView } from './notices-view';
import { OriginalityView } from './originality-view';
import { PermissionsView } from './permissions-view';
import { RegisterView } from './register-view';

type View = keyof typeof RIGHTS_VIEWS;
/** Of the post whose author is to be asked. */
const NO_POST = { post: '', author: '', title: '' };
const VIEWS = Object.entries(RIGHTS_VIEWS) as [View, string][];

/** Claimed works, matches that wait for a decision, takedown notices, permissions of authors, and originality. */
export function RightsScreen() {
  const { fields, page, change, setPage } = useUrlState({ view: '', notice: '', show: '', ...NO_POST });
  const view = fields.view in RIGHTS_VIEWS ? (fields.view as View) : '';
  return (
    <Page title={TEXT.title} lead={TEXT.lead}>
      <Box sx={{ mb: 5 }}>
        <ToggleChoice
          label={TEXT.view}
          value={view}
          options={VIEWS}
          onChange={(next) => next !== null && change({ view: next, notice: '', show: '', ...NO_POST })}
        />
      </Box>
      {view === 'matches' ? (
        <MatchesView page={page} setPage={setPage} show={fields.show} setShow={(show) => change({ show })} />
      ) : view === 'notices' ? (
        <NoticesView page={page} setPage={setPage} notice={fields.notice} open={(notice) => change({ notice })} />
      ) : view === 'permissions' ? (
        <PermissionsView page={page} setPage={setPage} about={fields} onAsked={() => change(NO_POST)} />
      ) : view === 'originality' ? (
        <OriginalityView />
      ) : (
        <RegisterView />
      )}
    </Page>
  );
}
