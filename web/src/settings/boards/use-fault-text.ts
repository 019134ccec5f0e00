import type { SettingFault } from '../../../../src/core/setting-text.ts'
import { useMessages } from '../../i18n/use-messages.tsx'
import { boardsMessages } from './messages.ts'

/** Returns the message for a text that is not valid for its setting. */
export function useFaultText(): (fault: SettingFault) => string {
  const t = useMessages(boardsMessages)
  return (fault) => {
    switch (fault.is) {
      case 'whole':
        return fault.least === null ? t('faultWhole') : t('faultLeast', { n: fault.least })
      case 'duration':
        return t('faultDuration')
      case 'toggle':
        return t('faultToggle')
      case 'other':
        return t('faultOther', { message: fault.message })
    }
  }
}
