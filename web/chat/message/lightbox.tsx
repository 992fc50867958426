import { Dialog } from '../../ui/parts/dialog.tsx';
import classes from './lightbox.module.css';

/** A picture as large as the window. */
export default function Lightbox({
  fileUrl,
  label,
  onClose,
}: {
  fileUrl: string;
  label: string;
  onClose: () => void;
}) {
  return (
    <Dialog
      opened
      onClose={onClose}
      fullScreen
      title={label}
      classNames={{
        content: classes.content,
        header: classes.head,
        title: classes.title,
        body: classes.body,
      }}
    >
      <img src={fileUrl} alt={label} referrerPolicy="no-referrer" className={classes.picture} />
    </Dialog>
  );
}
