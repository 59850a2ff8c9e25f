import MuiDialog, { type DialogProps } from '@mui/material/Dialog';
import MuiDrawer, { type DrawerProps } from '@mui/material/Drawer';
import MuiMenu, { type MenuProps } from '@mui/material/Menu';
import MuiPopover, { type PopoverProps } from '@mui/material/Popover';
import { type ComponentType, useEffect, useRef } from 'react';
import { Store } from '../store/store';

/** What is open above the screen, the last one on top, by how Back closes it. */
export const overlays = new Store<readonly (() => void)[]>([]);

interface OverlayProps {
  open?: boolean | undefined;
  onClose?: ((event: object, reason: 'escapeKeyDown') => void) | undefined;
}

/** Back closes it as Escape does, instead of leaving the screen. */
const closedByBack = <P extends OverlayProps>(Overlay: ComponentType<P>) =>
  function ClosedByBack(props: P) {
    const { open = false, onClose } = props;
    const latest = useRef(onClose);
    useEffect(() => {
      latest.current = onClose;
    });
    useEffect(() => {
      if (!open) return;
      const close = (): void => latest.current?.({}, 'escapeKeyDown');
      overlays.set([...overlays.get(), close]);
      return () => overlays.set(overlays.get().filter((one) => one !== close));
    }, [open]);
    return <Overlay {...props} />;
  };

export const Dialog = closedByBack<DialogProps>(MuiDialog);
export const Drawer = closedByBack<DrawerProps>(MuiDrawer);
export const Menu = closedByBack<MenuProps>(MuiMenu);
export const Popover = closedByBack<PopoverProps>(MuiPopover);
