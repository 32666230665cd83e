;;; goalspec.el --- The set-up of Eglot for goalspec -*- lexical-binding: t -*-

(define-derived-mode goalspec-mode lisp-data-mode "goalspec"
  "Goals as programs: games, activities and planning problems."
  (setq-local comment-start "; "))

(dolist (extension '("game" "goal" "bddl" "pddl"))
  (add-to-list 'auto-mode-alist (cons (format "\\.%s\\'" extension) 'goalspec-mode)))

(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs '(goalspec-mode . ("goalspec" "lsp"))))

(add-hook 'goalspec-mode-hook 'eglot-ensure)

(provide (quote goalspec))
