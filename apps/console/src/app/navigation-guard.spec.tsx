import { act, render, screen, waitFor } from '@testing-library/react';
import { type ReactNode, useState } from 'react';
import { createBrowserRouter, RouterProvider, useSearchParams } from 'react-router-dom';
import { ActionButton } from '../ui/actions';
import { DialogFrame, useConfirm } from '../ui/dialogs';
import { NavigationGuard, UnsavedText } from './navigation-guard';

/** A dialog that the address names. */
function UrlDialog() {
  const [search, setSearch] = useSearchParams();
  const [isUnsaved, setUnsaved] = useState(false);
  if (!search.has('dialog')) return null;
  return (
    <DialogFrame title="Details" onClose={() => setSearch({}, { replace: true })}>
      {isUnsaved ? <UnsavedText /> : null}
      <ActionButton label="Edit" onClick={() => setUnsaved(true)} />
    </DialogFrame>
  );
}

function Second() {
  const [isBusy, setBusy] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const { confirm, dialog } = useConfirm();
  return (
    <>
      <h1>Second</h1>
      <ActionButton label="Open" onClick={() => setOpen(true)} />
      {isOpen ? (
        <DialogFrame title="Form" onClose={isBusy ? undefined : () => setOpen(false)} actions={<></>}>
          <ActionButton label="Ask" onClick={() => confirm({ question: 'Sure?', confirm: 'Yes' }, () => undefined)} />
          <ActionButton label={isBusy ? 'Done' : 'Send'} onClick={() => setBusy(!isBusy)} />
        </DialogFrame>
      ) : null}
      {dialog}
      <UrlDialog />
    </>
  );
}

const pressBack = () => act(() => window.history.back());
const click = (name: string) => act(() => screen.getByRole('button', { name }).click());
const isClosed = (name: string) => waitFor(() => expect(screen.queryByRole('dialog', { name })).toBeNull());

describe('NavigationGuard', () => {
  let dispose: (() => void)[] = [];
  afterEach(() => dispose.forEach((each) => each()));

  /** Opens the first screen, then the second one at `path`. */
  async function start(path = '/second') {
    window.history.pushState(null, '', '/first');
    const guarded = (screenOf: ReactNode) => (
      <>
        {screenOf}
        <NavigationGuard />
      </>
    );
    const router = createBrowserRouter([
      { path: '/first', element: guarded(<h1>First</h1>) },
      { path: '/second', element: guarded(<Second />) },
    ]);
    const { unmount } = render(<RouterProvider router={router} />);
    dispose = [unmount, () => router.dispose()];
    await act(() => router.navigate(path));
    await screen.findByRole('heading', { name: 'Second', hidden: true });
    return router;
  }

  it('closes the open dialog by Back, and leaves the screen by the next one', async () => {
    await start();
    click('Open');
    pressBack();
    await isClosed('Form');
    expect(screen.getByRole('heading', { name: 'Second' })).toBeVisible();
    pressBack();
    expect(await screen.findByRole('heading', { name: 'First' })).toBeVisible();
  });

  it('closes the dialog on top first', async () => {
    await start();
    click('Open');
    click('Ask');
    pressBack();
    await waitFor(() => expect(screen.queryByRole('alertdialog', { name: 'Sure?' })).toBeNull());
    expect(screen.getByRole('dialog', { name: 'Form' })).toBeVisible();
    pressBack();
    await isClosed('Form');
    expect(window.location.pathname).toBe('/second');
  });

  it('keeps a dialog that must stay open, and the screen', async () => {
    const router = await start();
    click('Open');
    click('Send');
    const back = new Promise((resolve) =>
      window.addEventListener('popstate', () => window.addEventListener('popstate', resolve, { once: true }), { once: true }),
    );
    pressBack();
    await act(() => back);
    expect(screen.getByRole('dialog', { name: 'Form' })).toBeVisible();
    expect(router.state.location.pathname).toBe('/second');
    click('Done');
    pressBack();
    await isClosed('Form');
  });

  it('closes a dialog of the address without changing the entry before it', async () => {
    await start('/second?dialog=details');
    pressBack();
    await isClosed('Details');
    await waitFor(() => expect(window.location.href).toMatch(/\/second$/u));
    pressBack();
    expect(await screen.findByRole('heading', { name: 'First' })).toBeVisible();
    expect(window.location.pathname).toBe('/first');
  });

  it('asks before a dialog with unsaved text is closed, and takes another Back as Cancel', async () => {
    const router = await start('/second?dialog=details');
    click('Edit');
    pressBack();
    const question = { name: 'Leave without saving the caption?' };
    expect(await screen.findByRole('alertdialog', question)).toBeVisible();
    pressBack();
    await waitFor(() => expect(screen.queryByRole('alertdialog', question)).toBeNull());
    expect(screen.getByRole('dialog', { name: 'Details' })).toBeVisible();
    expect(router.state.location.search).toBe('?dialog=details');
  });
});
