import { Dialog } from '../../ui/parts/dialog.tsx';
import { useTexts } from '../../ui/texts.ts';
import EmojiPicker from './picker.tsx';

/** All emoji in a dialog, for a reaction. */
export default function EmojiDialog({
  onChoose,
  onClose,
}: {
  onChoose: (emoji: string) => void;
  onClose: () => void;
}) {
  const t = useTexts();
  return (
    <Dialog opened onClose={onClose} title={t('chat.reaction.emoji')} size="md">
      <EmojiPicker
        onChoose={(emoji) => {
          onChoose(emoji);
          onClose();
        }}
      />
    </Dialog>
  );
}
